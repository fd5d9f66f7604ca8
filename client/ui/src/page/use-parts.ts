import { startTransition, useEffect, useState } from 'react'

const PART = 40

/** A long list is drawn in parts, so that no part holds the page: the first at once, each further one after a frame. */
export function useParts<Item>(all: readonly Item[]): readonly Item[] {
  const [count, setCount] = useState(PART)
  const isWhole = count >= all.length
  useEffect(() => {
    if (isWhole) return undefined
    const frame = requestAnimationFrame(() => startTransition(() => setCount(count + PART)))
    return () => cancelAnimationFrame(frame)
  }, [count, isWhole])
  return isWhole ? all : all.slice(0, count)
}
