"""Names of agents, as readers see them: a name may imitate another (Unicode Technical Standard #39)."""
