"""Work of the whole platform that several endpoints and commands ask for, and work beside the requests."""
