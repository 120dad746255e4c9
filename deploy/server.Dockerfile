# Sickbay itself as an image: docker build -f deploy/server.Dockerfile -t sickbay/sickbay:0.1.0 .
# The image is the folder that `npm run server-image` makes, and nothing else: Node with the libraries that it loads, and the npm package. It has no
# shell, no package manager and no distribution; the file system may be read-only but for /tmp.
FROM node:24-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run -s server-image -- /image

FROM scratch
COPY --from=build /image /
ENV PATH=/usr/local/bin NODE_ENV=production
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["/usr/local/bin/node", "/app/bin/sickbay.mjs"]
CMD ["run"]
