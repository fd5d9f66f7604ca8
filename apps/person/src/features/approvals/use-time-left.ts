import { nowMs } from '@sealpost/web-app'
import { useEffect, useState } from 'react'
import type { CardView } from '../../worker/commands/approvals.ts'
import { endOf } from './time-left.ts'

const TICK_MS = 1000

/** Milliseconds that a card has left, counted down. */
export function useTimeLeft(card: CardView): number {
  const [endMs] = useState(() => endOf(card, nowMs()))
  const [now, setNow] = useState(nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return endMs - now
}
