import {
  type FaultProxy,
  type Installation,
  type PrivateEngine,
  type ScenarioContext,
  startInstallation,
  UNLIMITED_RATES,
} from '@sealpost/testkit'
import { openFileStores } from '../file-stores.ts'
import type { Region } from '../inject-faults.ts'

/** A company in eu with customers in both regions, and the engines that can fail. */
export interface Site {
  readonly installation: Installation
  /** The wires to the file stores. */
  readonly stores: Readonly<Record<Region, FaultProxy>>
  /** The NATS servers of both regions. */
  readonly nats: readonly PrivateEngine[]
}

/** A fault is noticed while it lasts. */
const HASTY = { ASK_TIMEOUT_MS: '2000', S3_WAIT_MS: '2000', DATABASE_POOL: '8', ALLOW_PRIVATE_TARGETS: '1' }

export async function startSite(context: ScenarioContext): Promise<Site> {
  const files = await openFileStores(context)
  const installation = await startInstallation({
    settings: { ...UNLIMITED_RATES, ...HASTY },
    onStep: (step) => context.progress(step),
    adjust: async ({ eu, us, ...others }) => ({
      ...others,
      eu: { ...eu, ...files.settings.eu },
      us: { ...us, ...files.settings.us },
    }),
  })
  context.onEnd(() => installation.stop())
  return { installation, stores: files.wires, nats: installation.nats.map(({ engine }) => engine) }
}
