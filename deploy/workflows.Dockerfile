# The workflow library as an image: docker build -f deploy/workflows.Dockerfile -t sickbay/workflows:0.1.0 .
# `npm run workflow-image` makes the same folder without Docker.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24-slim
WORKDIR /app
COPY --from=packages /app/node_modules/undici node_modules/undici
COPY --from=packages /app/node_modules/typebox node_modules/typebox
COPY --from=packages /app/node_modules/yaml node_modules/yaml
COPY package.json ./
COPY src/base src/base
COPY src/api src/api
COPY src/kube src/kube
COPY workflows workflows
USER 65532:65532
ENTRYPOINT ["node", "/app/workflows/main.ts"]
