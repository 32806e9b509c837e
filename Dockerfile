# The twin in a container, built as by `npm start`.

FROM node:26-bookworm-slim AS build
WORKDIR /app
# Packages first: this layer is rebuilt only when the lock changes.
COPY package.json package-lock.json .npmrc ./
COPY tools/setup.mjs tools/
COPY tools/setup tools/setup
RUN node tools/setup.mjs install --start
COPY . .
RUN node tools/setup.mjs build --start && npm prune --omit=dev --no-save

FROM node:26-bookworm-slim
LABEL org.opencontainers.image.title="armtwin" \
      org.opencontainers.image.description="Digital twin of a six-joint robot arm and its API" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="docker.io/library/node:26-bookworm-slim"
# One malloc arena: the process of the rigid-body engine uses a third less memory. Deliveries are tried again for days, as
# receivers of a lab need it; ARMTWIN_WEBHOOKS=ci gives up after 30 s, for tests.
ENV NODE_ENV=production \
    ARMTWIN_HOST=0.0.0.0 \
    ARMTWIN_DATA=/data \
    ARMTWIN_WEBHOOKS=standard \
    MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/fixtures fixtures
COPY --from=build /app/arms arms
# The command `armtwin` inside the container, for docker exec: armtwin data backup /data /data/x.
RUN mkdir /data && chown node:node /data \
 && printf '#!/bin/sh\nexec node /app/dist/server/main.js "$@"\n' > /usr/local/bin/armtwin \
 && chmod 755 /usr/local/bin/armtwin
USER node
VOLUME /data
EXPOSE 8080
# Healthy: the arm is ready for commands (/readyz).
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ARMTWIN_PORT ?? 8080) + '/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# Flags go to the server: docker run … armtwin --clock max
ENTRYPOINT ["node", "dist/server/main.js"]
