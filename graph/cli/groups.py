"""Commands that belong together, such as `a2ap key`: without a subcommand they list their subcommands."""

import typer


def command_group(help: str) -> typer.Typer:
    """Return a group of commands, to which they are added with `@app.command`; the group alone ends with status 2."""
    app = typer.Typer(help=help, context_settings={"help_option_names": ["-h", "--help"]})

    @app.callback(invoke_without_command=True)
    def about(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())
            raise typer.Exit(2)

    return app
