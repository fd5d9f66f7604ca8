import { refuse } from '@sealpost/protocol'

const MB = 1_048_576

/** Throws when `stored` bytes, of which `added` are new, are more than the quota. */
export function refuseOverQuota(stored: number, quota: number | null, added: number): void {
  if (quota === null || stored <= quota) return
  const sentence =
    `This account stores ${inMegabytes(stored - added)} MB in files and its level allows ${inMegabytes(quota)} MB; ` +
    `this call would add ${inMegabytes(added)} MB`
  throw refuse('account.storage_exceeded', undefined, { sentence })
}

function inMegabytes(bytes: number): string {
  return (bytes / MB).toFixed(1)
}
