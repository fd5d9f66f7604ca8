import { type Scenario, zero } from '@sealpost/testkit'
import { startSite } from '../connections/site.ts'
import { measureDecryption } from './decryption.ts'
import { measureSync } from './sync.ts'

interface Size {
  /** Decrypted in a sample, with ten values each. */
  readonly decrypted: number
  readonly samples: number
  /** Read from the list of a service. */
  readonly synced: number
}

/** The first full copy of a large service: what the SDK adds to WebCrypto on all cores, and the memory that it needs. */
export const sdkScenario: Scenario<Size> = {
  name: 'sdk',
  about: 'decrypting connections against bare WebCrypto on all cores; memory of a full copy of all connections',
  sizes: {
    small: { decrypted: 100, samples: 3, synced: 20_000 },
    full: { decrypted: 10_000, samples: 5, synced: 1_000_000 },
  },
  bars: [
    { figure: 'decrypt_rate_to_bare', atLeast: 0.85, small: 0.7 },
    { figure: 'sync_peak_mb', atMost: 300 },
    ...zero('sync_missing'),
  ],
  async run(context, { decrypted, samples, synced }) {
    const site = await startSite(context)
    const decryption = await measureDecryption(context, site.installation, { connections: decrypted, samples })
    return { ...decryption, ...(await measureSync(context, site, synced)) }
  },
}
