# syntax=docker/dockerfile:1
# prepuller with helm and kustomize, for the plugin beside Argo CD's repository server and for the controller. Stages that do work run on
# the platform of the builder; the last one only copies, so that no platform is emulated. docs/supply-chain.md says what is pinned how.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG GO_IMAGE=golang:1.26.8-bookworm

# helm and kustomize from modules pinned by checksum. HELM=helm-3 for Helm 3.
FROM --platform=$BUILDPLATFORM ${GO_IMAGE} AS tools
ARG HELM=helm-4
ARG TARGETARCH
ENV CGO_ENABLED=0 GOOS=linux GOARCH=$TARGETARCH GOTOOLCHAIN=local
WORKDIR /build
COPY scripts/image/ ./
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    ./build-tool.sh "$HELM" /out && ./build-tool.sh kustomize /out

# git reads which commit touched an app and fetches kustomize's remote bases; both need neither Perl nor translations.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS git
ARG TARGETARCH
WORKDIR /build
COPY scripts/image/unpack-git.sh ./
RUN ./unpack-git.sh "$TARGETARCH" /out

# What `npm pack` would publish, built here.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS bundle
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-progress
COPY . .
RUN npm run build && npm pack --ignore-scripts && mkdir -p /out/bin /out/lib \
    && tar -xzf argocd-prepuller-*.tgz -C /out/lib && mv /out/lib/package /out/lib/argocd-prepuller \
    && chmod -R a+rX,go-w /out && ln -s ../lib/argocd-prepuller/bin/prepuller.mjs /out/bin/prepuller

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="argocd-prepuller" \
      org.opencontainers.image.description="Pulls JupyterHub user images onto every node before Argo CD changes the hub." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.source="$SOURCE"
COPY --from=git /out/ /
COPY --from=tools /out/bin/ /usr/local/bin/
COPY --from=tools /out/share/ /usr/local/share/
COPY --from=bundle /out/ /usr/local/
COPY plugin.yaml /home/argocd/cmp-server/config/plugin.yaml
# Owned by root and readable by all: any user runs it, with a read-only root, and writes to /tmp alone. 999 is Argo CD's; group 0 OpenShift's.
USER 999:0
WORKDIR /tmp
ENTRYPOINT ["prepuller"]
CMD ["--help"]
