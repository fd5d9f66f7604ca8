import { builtApp } from '../browser/built-app.ts'

export function builtPerson(): Promise<string> {
  return builtApp('person-app', async (folder) => (await import('@sealpost/person/build')).buildPerson(folder))
}
