import { Bullets, ButtonLink, Buttons, Notice } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { href } from '../../../routes.ts'
import { useWords } from '../../../words/index.ts'
import type { MadeServiceView } from '../../../worker/commands/new-service.ts'
import { Rite } from './rite.tsx'

/** The service exists, and no customer is asked for anything yet. */
export function ReadyStep({ made: { id, name, code, isCopyMissing } }: { readonly made: MadeServiceView }): ReactNode {
  const words = useWords().newService.ready
  return (
    <Rite title={words.title(name)} lead={words.lead(code)}>
      {isCopyMissing ? (
        <Notice
          kind="wait"
          what={words.copyMissing}
          next={words.copyMissingNext}
          act={<ButtonLink href={href('serviceKey', { service: id })}>{words.toKey}</ButtonLink>}
        />
      ) : null}
      <Bullets items={words.next} />
      <Buttons>
        <ButtonLink look="main" href={href('serviceFields', { service: id })}>
          {words.toFields}
        </ButtonLink>
        <ButtonLink href={href('service', { service: id })}>{words.toService}</ButtonLink>
      </Buttons>
    </Rite>
  )
}
