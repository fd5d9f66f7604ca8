import type { Examples } from '../example.ts'
import { callAs, requireAs, type WorldOwner } from '../owners.ts'

const base_url = 'https://plugin.sealpost.example'

export const pluginExamples: Examples = {
  'plugins.create': {
    make: async ({ owner }) => {
      await removeAll(owner)
      return { body: { base_url } }
    },
  },
  'plugins.enable_builtin': {
    make: async ({ owner }) => {
      await removeAll(owner)
      return { params: { key: 'iso_lists' } }
    },
    notObjects: ['key'],
  },
  'plugins.change': { make: async ({ owner }) => ({ params: await pluginOf(owner), body: { token: null } }) },
  'plugins.create_registry_pass': { make: async ({ owner }) => ({ params: await pluginOf(owner) }) },
  'plugins.delete': { make: async ({ owner }) => ({ params: await pluginOf(owner) }) },
}

async function pluginOf(owner: WorldOwner): Promise<{ readonly id: string }> {
  await removeAll(owner)
  const { plugin } = await requireAs(owner, 'POST', '/api/account/plugins', { base_url })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  return { id: (plugin as { readonly id: string }).id }
}

/** An address and a built-in can be added once. */
async function removeAll(owner: WorldOwner): Promise<void> {
  const { items } = await requireAs(owner, 'GET', '/api/account/plugins')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  for (const { id } of items as readonly { readonly id: string }[]) {
    await callAs(owner, 'DELETE', `/api/account/plugins/${id}`)
  }
}
