import { nowMs } from '@sealpost/web-app'
import { useEffect } from 'react'
import { watchIdle } from './idle.ts'
import { call } from './worker.ts'

const LOOK_EVERY_MS = 10_000
const SIGNS = ['pointerdown', 'keydown', 'wheel'] as const

/** Around every page of an open account. */
export function useIdleLock(): void {
  useEffect(() => {
    const idle = watchIdle({ nowMs, lock: () => void call('lock') })
    const timer = setInterval(idle.look, LOOK_EVERY_MS)
    for (const sign of SIGNS) window.addEventListener(sign, idle.touch, { capture: true, passive: true })
    document.addEventListener('visibilitychange', idle.look)
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, idle.touch, { capture: true })
      document.removeEventListener('visibilitychange', idle.look)
    }
  }, [])
}
