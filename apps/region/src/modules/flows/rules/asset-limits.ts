/** An export of a flow must fit into the body of an import: 40 MB are 53 MB in base64. */
const MOST_BYTES = 40 * 1_048_576
const MOST_FILES = 200

export interface AssetsHeld {
  readonly files: number
  readonly bytes: number
}

/** Whether a flow that would hold these files stays within its limits. */
export function fitsInFlow({ files, bytes }: AssetsHeld): boolean {
  return files <= MOST_FILES && bytes <= MOST_BYTES
}
