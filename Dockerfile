# The image of the pet store: the executable, the C library that it needs, and a user. "In a container" in docs/deploy.md explains it.
ARG BUILD_IMAGE=node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY . .
ARG COMMIT=
RUN npm ci --omit=dev && npm run build:executable -- --out out ${COMMIT:+--commit "$COMMIT"}
RUN sh deploy/image-files.sh out/petstore /image

FROM scratch
COPY --from=build /image/root /
# /data. A new volume there gets its owner.
COPY --from=build --chown=10001:10001 /image/user /
ENV PATH=/usr/local/bin HOME=/data PETSTORE_HOST=0.0.0.0 PETSTORE_DATABASE=sqlite:/data/petstore.db
WORKDIR /data
VOLUME /data
EXPOSE 8080
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/usr/local/bin/petstore", "health"]
ENTRYPOINT ["/usr/local/bin/petstore"]
CMD ["serve"]
