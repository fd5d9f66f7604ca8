import { openImages } from '@sealpost/images'
import { cardPhotoGone, type ServicesNeeds } from './modules/services/index.ts'
import type { PhotoNeeds, VaultNeeds } from './modules/vault/index.ts'

const MB = 1_048_576

/** Profile photos rest beside the values of fields; the business cards of services show them. */
export function photoNeeds(vault: VaultNeeds, services: ServicesNeeds): PhotoNeeds {
  const { database, objects, clock, ids, random, caps } = vault
  return {
    database,
    objects,
    clock,
    ids,
    random,
    images: openImages(),
    maxBytes: caps.photoMaxMb * MB,
    hooks: { onPhotoDeleted: (tx, gone) => cardPhotoGone(services, tx, gone) },
  }
}
