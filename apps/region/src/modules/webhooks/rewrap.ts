import { accept, decline, type Keyring, type Result, type WebhookId } from '@sealpost/kernel'
import type { Database, Read } from '@sealpost/postgres'
import { type Sealed, SealingError } from '@sealpost/sealing'
import { resealSecrets } from './secrets.ts'
import { type EndpointRow, listUnderOtherKeys, replaceSecrets } from './store/endpoints.ts'

const PAGE = 200

export interface RewrappedWebhooks {
  readonly moved: number
  /** Left as they are: they are not lost as long as somebody has their key. */
  readonly unreadable: readonly { readonly webhookId: WebhookId; readonly reason: string }[]
}

/**
 * Moves the secrets of webhooks to the active key. Repeating it does the rest. No two rows are held at once: whoever
 * settles deliveries holds several, in an order of its own, and the two would wait for each other.
 */
export async function rewrapWebhooks(needs: {
  readonly database: Database
  readonly dataKey: Keyring
}): Promise<RewrappedWebhooks> {
  const { database, dataKey } = needs
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
