/** The largest body with a file: room for a document of 25 MB, sealed, which is base64 twice. */
export const FILE_BODY = 64 * 1_048_576
