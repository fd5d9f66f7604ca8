import { accept, decline, type Keyring, type Result, type WebhookId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type Sealed, SealingError } from '@sealpost/sealing'
import type { SecretsContext } from '../context.ts'
import type { EndpointRow } from '../model.ts'
import { listUnderOtherKeys, replaceSecrets } from '../store/endpoints.ts'
import { resealSecrets } from './seal-secrets.ts'

const PAGE = 200

export interface RewrappedWebhooks {
  readonly moved: number
  /** Left unchanged: they can be opened again once their key is back. */
  readonly unreadable: readonly { readonly webhookId: WebhookId; readonly reason: string }[]
}

/**
 * Moves the secrets of webhooks to the active key. It can be repeated after a failure. Each row has its own transaction:
 * workers lock several rows in another order, and two such transactions could deadlock.
 */
export async function rewrapWebhooks({
  database,
  settings: { DATA_KEY: dataKey },
}: SecretsContext): Promise<RewrappedWebhooks> {
  const unreadable: { webhookId: WebhookId; reason: string }[] = []
  let moved = 0
  for (let after: WebhookId | null = null; ;) {
    const past: WebhookId | null = after
    const list = (read: Read) => listUnderOtherKeys(read, dataKey.active.id, past, PAGE)
    const page: readonly EndpointRow[] = await database.read(list)
    for (const row of page) {
      const fresh = reseal(dataKey, row)
      if (!fresh.ok) unreadable.push({ webhookId: row.webhookId, reason: fresh.refusal })
      else if (await database.transaction((tx) => replaceSecrets(tx, row, fresh.value))) moved += 1
    }
    after = page.at(-1)?.webhookId ?? null
    if (after === null) return { moved, unreadable }
  }
}

function reseal(dataKey: Keyring, row: EndpointRow): Result<Sealed, string> {
  const sealed = { keyId: row.secretsKeyId, bytes: row.secrets }
  try {
    return accept(resealSecrets(dataKey, row.webhookId, sealed) ?? sealed)
  } catch (error) {
    if (error instanceof SealingError) return decline(error.message)
    throw error
  }
}
