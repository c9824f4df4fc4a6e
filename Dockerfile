# The image of `omec agent`: one virtual environment, owned by root, run by nobody.
#
#   docker build -t registry.example.com/omec-agent:0.1.0 .
#
# With --build-arg EXTRA=oci, it can fetch from Oracle object storage (oci:// models, fine-tuned weights); Oracle's SDK
# takes half a gigabyte.
#
# The DaemonSet, the Deployment and Jobs name their command. The containers that OME's webhook, or omec in its place, adds
# to pods have arguments only, the first of which is a task of `omec agent fetch`.
#
# What is installed and as whom is tested without a container engine: tests/image runs these very steps.
FROM docker.io/library/python:3.13-slim AS install
WORKDIR /src
COPY pyproject.toml README.md ./
COPY omec ./omec
RUN python3 -m venv /opt/omec
ARG EXTRA
RUN /opt/omec/bin/python -m pip install --no-cache-dir --no-compile ".[${EXTRA:-agent}]"
RUN /opt/omec/bin/python -m pip uninstall --quiet --yes pip
# Nothing can be written at run time: without byte code here, every start would compile all over again.
RUN /opt/omec/bin/python -m compileall -q /opt/omec/lib

FROM docker.io/library/python:3.13-slim AS agent
COPY --from=install /opt/omec /opt/omec
ENV PATH=/opt/omec/bin:/usr/local/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 65532:65532
ENTRYPOINT ["omec", "agent", "fetch"]
