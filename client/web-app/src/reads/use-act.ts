import { type Failure, failureOf } from '@sealpost/ui'
import { useState } from 'react'

export interface Act {
  readonly isBusy: boolean
  readonly failure: Failure | null
  /** Runs one act at a time. False when it failed; the failure is kept until the next one. */
  run(act: () => Promise<void>): Promise<boolean>
  clear(): void
}

/** An act of the person that takes a while and can fail. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    isBusy,
    failure,
    async run(act) {
      if (isBusy) return false
      setBusy(true)
      setFailure(null)
      try {
        await act()
        return true
      } catch (error) {
        setFailure(failureOf(error))
        return false
      } finally {
        setBusy(false)
      }
    },
    clear: () => setFailure(null),
  }
}
