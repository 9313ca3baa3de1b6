"""The choice of the model that embeds texts, from the settings."""

from a2ap.boundary import Boundary
from graph.search.embedder import LOCAL_MODEL, Embedder
from graph.search.endpoint_embedder import EndpointEmbedder
from graph.settings import Settings, SettingsError


def open_embedder(settings: Settings) -> Embedder | None:
    """Return the model of the settings, None if they name none. Raises SettingsError if it is not available."""
    if settings.embeddings_url is not None:
        if settings.embeddings_model is None:
            raise SettingsError("A2AP_EMBEDDINGS_MODEL is not set although A2AP_EMBEDDINGS_URL is")
        clearance = Boundary(settings.embeddings_boundary)
        return EndpointEmbedder(settings.embeddings_url, settings.embeddings_model, settings.embeddings_key, clearance)
    if settings.embeddings_model is None:
        return None
    if settings.embeddings_model != LOCAL_MODEL:
        named = repr(settings.embeddings_model)
        raise SettingsError(f"A2AP_EMBEDDINGS_MODEL is {named}, and without A2AP_EMBEDDINGS_URL it is {LOCAL_MODEL}")
    from graph.search.local_embedder import LocalEmbedder

    return LocalEmbedder.open()
