import { type FaultProxy, makeBucket, readEngines, type ScenarioContext, startFaultProxy } from '@sealpost/testkit'
import type { Region } from './inject-faults.ts'

/** The wires to the file stores of both regions, and the settings by which the regions use them. */
export interface FileStores {
  readonly wires: Readonly<Record<Region, FaultProxy>>
  readonly settings: Readonly<Record<Region, Readonly<Record<string, string>>>>
}

/** A bucket of its own for each region, so that every object in it is of this run. */
export async function openFileStores(context: ScenarioContext): Promise<FileStores> {
  const engines = readEngines()
  const open = async (region: Region) => {
    const { s3 } = engines[region]
    const wire = await startFaultProxy(s3.endpoint)
    context.onEnd(() => wire.close())
    const { name } = await makeBucket(s3, { isVersioned: false })
    return { wire, settings: { S3_ENDPOINT: wire.url, S3_BUCKET: name } }
  }
  const [eu, us] = [await open('eu'), await open('us')]
  return { wires: { eu: eu.wire, us: us.wire }, settings: { eu: eu.settings, us: us.settings } }
}
