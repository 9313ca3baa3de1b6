"""Hypothesis settings for a busy machine: no example fails for having taken long."""

from hypothesis import HealthCheck, settings

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
