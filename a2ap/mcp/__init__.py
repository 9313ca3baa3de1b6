"""An agent's tools for language models: a server of the Model Context Protocol (MCP) beside the agent's key.

`a2ap mcp` serves it over stdio or streamable HTTP. It asks the node for statements, scores and evidence, and signs for
the agent once its user has confirmed the words (`docs/how-to/mcp.md`). The words of others are data in each of its
answers (`a2ap.mcp.quoted`).
"""
