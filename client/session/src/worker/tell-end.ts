import type { KeptAccess } from './keep-access.ts'

/** The next attempt after this time, then twice as long, up to the longest. */
const FIRST_MS = 5000
const LONGEST_MS = 5 * 60_000

/** Tells the platform in the background what this device has forgotten, until it has heard or the app is closed. */
export function openTellEnd(access: Pick<KeptAccess, 'tellEnd'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const attempt = async (waitMs: number): Promise<void> => {
    clearTimeout(timer)
    if (await access.tellEnd()) return
    timer = setTimeout(() => void attempt(Math.min(waitMs * 2, LONGEST_MS)), waitMs)
  }
  const tell = (): void => void attempt(FIRST_MS)
  globalThis.addEventListener('online', tell)
  return tell
}
