"""The words of the replay page, in the language that is shown."""

from rmp3d.viewer.texts import tr

WORDS = (
    "Play", "Pause", "Next event", "Layers", "Overview", "slower ([)", "faster (])",
    "next event (n)", "layers (Shift+L)", "see everything (z)", "keys (h)", "time", "Space",
    "play or pause", "one frame back or on", "Home End", "to the start or the end",
    "slower, faster", "next event", "see everything", "drag", "turn; right or Shift: move",
    "wheel, pinch", "nearer, farther", "click", "follow a member; beside: let go",
    "Shift+L", "layers, and the key of each",
    "{} members", "{} member", "following {}", "simulated up to {}",
    "the run is not reached any more", "mean {}", "too large",
)  # fmt: skip
"""All that `page.html` and its scripts say; braces are filled in there."""


def words_of_page() -> dict[str, str]:
    """Return those of the words that are others in the language that is shown."""
    return {word: said for word in WORDS if (said := tr(word)) != word}
