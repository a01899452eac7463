"""What a search in turns returns."""


def result_of(turns):
    while True:
        try:
            next(turns)
        except StopIteration as done:
            return done.value
