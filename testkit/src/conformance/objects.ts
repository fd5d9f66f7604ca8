import { randomBytes } from 'node:crypto'
import type { ObjectsPlace } from '@sealpost/objects'
import { afterAll, beforeAll, describe } from 'vitest'
import { describeCopying } from './objects/copying.ts'
import { describeLargeObjects } from './objects/large.ts'
import { describeReading } from './objects/reading.ts'
import type { OpenObjects, Storage } from './objects/storage.ts'
import { describeStoring } from './objects/storing.ts'
import { describeVersions } from './objects/versions.ts'

/** What every S3 server and every adapter to one must hold. It works in a bucket of its own and leaves that one empty. */
export function objectsConformance(open: OpenObjects, readPlace: () => Omit<ObjectsPlace, 'bucket'>): void {
  describe('object storage', () => {
    let storage: Storage
    beforeAll(async () => {
      const place = { ...readPlace(), bucket: `conformance-${randomBytes(8).toString('hex')}` }
      storage = { objects: open(place), place, open }
      await storage.objects.ensureBucket()
    })
    afterAll(async () => {
      await emptyBucket(storage)
      storage.objects.close()
    })
    describeStoring(() => storage)
    describeReading(() => storage)
    describeCopying(() => storage)
    describeLargeObjects(() => storage)
    describeVersions(() => storage)
  })
}

async function emptyBucket({ objects }: Storage): Promise<void> {
  for (let next: string | null = ''; next !== null;) {
    const page = await objects.list({ limit: 1_000 })
    for (const { key } of page.objects) await objects.remove(key)
    next = page.next
  }
}
