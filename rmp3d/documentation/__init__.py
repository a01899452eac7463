"""What draws the documentation's pictures: ``make pictures`` and ``make gallery`` in a checkout."""
