import { builtApp } from '../browser/built-app.ts'

export function builtPortal(): Promise<string> {
  return builtApp('portal', async (folder) => (await import('@sealpost/portal/build')).buildPortal(folder))
}
