import { Button, Buttons, Notice } from '@sealpost/ui'
import { DeskSection } from '@sealpost/ui/desk'
import type { ReactNode } from 'react'
import { useWords } from '../../../words/index.ts'
import type { AskedRow } from '../../../worker/commands/request-rows.ts'
import { Changes } from './changes.tsx'
import { differenceOf, rowsOfBoth } from './difference.ts'
import classes from './fields.module.css'

interface ConflictProps {
  readonly base: readonly AskedRow[]
  readonly theirs: readonly AskedRow[]
  readonly mine: readonly AskedRow[]
  readonly onTheirs: () => void
  readonly onMerge: () => void
}

/** Another user has published meanwhile: both sides, and the way on. Nothing is lost before it is decided. */
export function Conflict({ base, theirs, mine, onTheirs, onMerge }: ConflictProps): ReactNode {
  const words = useWords().rows.conflict
  const both = rowsOfBoth(base, theirs, mine)
  return (
    <DeskSection title={words.title}>
      <Notice kind="wait" what={words.what} next={words.next} />
      <div className={classes.sides}>
        <section>
          <h3>{words.theirs}</h3>
          <Changes of={differenceOf(base, theirs)} label={words.theirs} />
        </section>
        <section>
          <h3>{words.mine}</h3>
          <Changes of={differenceOf(base, mine)} label={words.mine} />
        </section>
      </div>
      {both.length === 0 ? null : <p>{words.both(both.map(({ label }) => label))}</p>}
      <Buttons>
        <Button look="main" onClick={onMerge}>
          {words.merge}
        </Button>
        <Button onClick={onTheirs}>{words.takeTheirs}</Button>
      </Buttons>
    </DeskSection>
  )
}
