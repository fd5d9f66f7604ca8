import type { Read } from '@sealpost/postgres'
import { resealUnder, type Sealed, SealingError } from '@sealpost/sealing'
import type { PluginsContext } from '../context.ts'
import type { PluginId, SealedToken } from '../model.ts'
import { listUnderOtherKeys, replaceSealed } from '../store/tokens.ts'
import { tokenContext } from './seal-token.ts'

const PAGE = 200

export interface RewrappedPlugins {
  readonly moved: number
  /** Left unchanged: they can be opened again once their key is back. */
  readonly unreadable: readonly { readonly pluginId: PluginId; readonly reason: string }[]
}

type RewrapContext = Pick<PluginsContext, 'database'> & {
  readonly settings: Pick<PluginsContext['settings'], 'DATA_KEY'>
}

/** Moves the tokens of plugins to the active key. It can be repeated after a failure. */
export async function rewrapPlugins({
  database,
  settings: { DATA_KEY: dataKey },
}: RewrapContext): Promise<RewrappedPlugins> {
  const unreadable: { pluginId: PluginId; reason: string }[] = []
  let moved = 0
  for (let after: PluginId | null = null; ;) {
    const past: PluginId | null = after
    const list = (read: Read) => listUnderOtherKeys(read, dataKey.active.id, past, PAGE)
    const page: readonly SealedToken[] = await database.read(list)
    for (const row of page) {
      const fresh = reseal(row)
      if (fresh instanceof SealingError) unreadable.push({ pluginId: row.pluginId, reason: fresh.message })
      else if (fresh !== null && (await database.transaction((tx) => replaceSealed(tx, row, fresh)))) moved += 1
    }
    after = page.at(-1)?.pluginId ?? null
    if (after === null) return { moved, unreadable }
  }

  function reseal({ pluginId, sealed }: SealedToken): Sealed | SealingError | null {
    try {
      return resealUnder(dataKey, sealed, tokenContext(pluginId))
    } catch (error) {
      if (error instanceof SealingError) return error
      throw error
    }
  }
}
