# Build: docker build -t chargebook .
# The image holds no Postgres: DATABASE_URL and ENCRYPTION_KEY are required. docs/operations.md describes how to run it.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
RUN npm ci --omit=optional --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY projections ./projections
COPY src ./src
COPY tools ./tools
RUN npm run -s build && chmod 755 dist/src/cli/main.js

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
# Clients of the service are separate packages.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force && rm -r node_modules/@chargebook

FROM node:24-bookworm-slim
# Version of the tag that the image is built from; the workflow passes it, and adds source, revision and time.
ARG VERSION=unreleased
LABEL org.opencontainers.image.title=Chargebook \
  org.opencontainers.image.description="Merchant payments on a ledger of events" \
  org.opencontainers.image.licenses=Apache-2.0 \
  org.opencontainers.image.version=$VERSION
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
# The command line inside of the container: docker exec <container> chargebook …
RUN mkdir /data && chown node:node /data && ln -s /app/dist/src/cli/main.js /usr/local/bin/chargebook
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY docs/holidays.json ./docs/
USER node
EXPOSE 3000
# Ready: stores are reachable and the events of merchants are current. A process without the role api serves nothing
# and needs another check: see docker-compose.yml.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Arguments of the container are passed to the service: docker run chargebook --workers 4
ENTRYPOINT ["node", "--enable-source-maps", "dist/src/main.js"]
