"""The official driver with our options: no retries and no telemetry."""

import neo4j
from neo4j import AsyncDriver, AsyncGraphDatabase

from graph.database.endpoint import Endpoint


def driver_of(endpoint: Endpoint, user: str, password: str) -> AsyncDriver:
    """Return a driver for a database, which connects when it is first used."""
    return AsyncGraphDatabase.driver(
        endpoint.uri,
        auth=(user, password),
        max_transaction_retry_time=0,  # the store retries by itself
        telemetry_disabled=True,
        warn_notification_severity=neo4j.NotificationMinimumSeverity.OFF,
        notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
    )
