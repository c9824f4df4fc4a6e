# The image of `omec agent`: one virtual environment, owned by root, run by nobody.
#
#   docker build -t registry.example.com/omec-agent:0.1.0 .
#
# What is installed and as whom is tested without a container engine: tests/image runs these very steps.
FROM docker.io/library/python:3.13-slim AS install
WORKDIR /src
COPY pyproject.toml README.md ./
COPY omec ./omec
RUN python3 -m venv /opt/omec
RUN /opt/omec/bin/python -m pip install --no-cache-dir --no-compile ".[agent]"
RUN /opt/omec/bin/python -m pip uninstall --quiet --yes pip
# Nothing can be written at run time: without byte code here, every start would compile all over again.
RUN /opt/omec/bin/python -m compileall -q /opt/omec/lib

FROM docker.io/library/python:3.13-slim AS agent
COPY --from=install /opt/omec /opt/omec
ENV PATH=/opt/omec/bin:/usr/local/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 65532:65532
ENTRYPOINT ["omec"]
