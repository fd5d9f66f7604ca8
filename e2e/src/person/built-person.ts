import { keptOnce } from '@sealpost/testkit'

/** Built once for all runs with the same sources. */
export function builtPerson(): Promise<string> {
  return keptOnce('person-app', async (folder) => {
    const { buildPerson } = await import('@sealpost/person/build')
    // Vitest sets it, and with another value React and Vite build for development.
    process.env['NODE_ENV'] = 'production'
    await buildPerson(folder)
    process.env['NODE_ENV'] = 'test'
  })
}
