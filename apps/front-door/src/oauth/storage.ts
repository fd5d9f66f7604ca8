import type { Adapter, AdapterFactory } from 'oidc-provider'
import { clientAdapter } from './client-adapter.ts'
import { type GrantAdapterNeeds, grantAdapters } from './grant-adapter.ts'

/** Where the engine's models rest: clients in the directory, grants at the user's home, anything else nowhere. */
export function engineStorage(needs: GrantAdapterNeeds): AdapterFactory {
  const adapters: Readonly<Record<string, Partial<Adapter>>> = {
    ...grantAdapters(needs),
    Client: clientAdapter(needs.database),
  }
  return (model) => ({ ...unstored(model), ...adapters[model] })
}

function unstored(model: string): Adapter {
  const refuse = (): Promise<never> => Promise.reject(new Error(`${model} is not stored at the front door`))
  return {
    find: () => Promise.resolve(undefined),
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}
