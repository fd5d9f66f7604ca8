import type { Keyring } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { resealSecrets } from './secrets.ts'
import { listUnderOtherKeys, replaceSecrets } from './store/endpoints.ts'

const PAGE = 200

/** Moves the secrets of webhooks to the active key, a page per transaction; answers how many. Repeating it does the rest. */
export async function rewrapWebhooks(needs: {
  readonly database: Database
  readonly dataKey: Keyring
}): Promise<number> {
  const { database, dataKey } = needs
  let done = 0
  for (let after: string | null = null; ;) {
    const from: string | null = after
    const page = await database.transaction(async (tx) => {
      const found = await listUnderOtherKeys(tx, dataKey.active.id, from, PAGE)
      for (const row of found) {
        const sealed = { keyId: row.secretsKeyId, bytes: row.secrets }
        const fresh = resealSecrets(dataKey, row.webhookId, sealed)
        if (fresh !== null) await replaceSecrets(tx, row, fresh)
      }
      return found
    })
    const last = page.at(-1)
    if (last === undefined) return done
    done += page.length
    after = last.webhookId
  }
}
