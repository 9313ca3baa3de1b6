"""`python -m graph.cli`, the same as `a2ap`."""

from graph.cli import main

if __name__ == "__main__":
    main()
