/**
 * The cache of the throw-away site: a page made of the commit. A file named `killer` ends the deploy that builds, by
 * kill -9, once.
 */
export const buildScript = `cat page > built-page
test ! -e ../killer || { rm ../killer; kill -9 "$PPID"; sleep 1; }
`;

/** Takes long enough for two deploys to meet. */
export const slowBuildScript = `sleep 2\n${buildScript}`;

export const failingBuildScript = `echo 'the build has failed' >&2; exit 1\n`;
