import { Button, Buttons } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useSessionWords } from '../words/index.ts'

/** At the end of a step of the registration: send it, or go one back. */
export function StepButtons({
  busy,
  onBack,
}: {
  readonly busy: string | null
  readonly onBack: () => void
}): ReactNode {
  const { shell, start } = useSessionWords()
  return (
    <Buttons isStacked>
      <Button type="submit" look="main" busy={busy}>
        {start.register.next}
      </Button>
      <Button look="bare" onClick={onBack} disabled={busy !== null}>
        {shell.back}
      </Button>
    </Buttons>
  )
}
