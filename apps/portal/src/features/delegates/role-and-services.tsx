import { Choices, Quiet, Tick } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { DelegateWish } from '../../worker/commands/delegates.ts'
import type { ServiceView } from '../../worker/commands/services.ts'
import classes from './delegates.module.css'

/** What a delegate may do, and where. */
export function RoleAndServices({
  wish: { role, services },
  all,
  onWish,
}: {
  readonly wish: DelegateWish
  readonly all: readonly ServiceView[]
  readonly onWish: (wish: DelegateWish) => void
}): ReactNode {
  const words = useWords().delegates
  return (
    <>
      <Choices
        legend={words.role}
        value={role}
        onValue={(value) => onWish({ role: value === 'admin' ? 'admin' : 'operator', services })}
        options={(['operator', 'admin'] as const).map((value) => ({
          value,
          label: words.roles[value],
          about: words.rolesAbout[value],
        }))}
      />
      <fieldset className={classes.services}>
        <legend>{words.whichServices}</legend>
        <Quiet>{all.length === 0 ? words.noService : words.whichServicesAbout}</Quiet>
        {all.map(({ id, name, code }) => (
          <Tick
            key={id}
            label={name}
            about={code}
            isOn={services.includes(id)}
            onChange={(isOn) =>
              onWish({ role, services: isOn ? [...services, id] : services.filter((each) => each !== id) })
            }
          />
        ))}
      </fieldset>
    </>
  )
}
