"""Work that needs the open platform: for endpoints and commands, and beside the requests."""
