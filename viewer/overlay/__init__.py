"""What is drawn over the picture: text, labels and the timeline."""
