// The findings of the doctor, for the management pages.

import { choice, text } from '../../core/model/fields.ts'
import { defineShape, list, object } from '../../core/model/shape.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { administrator } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { examineDatabase, examineMachine, type NamedFinding } from './examine.ts'

const must = { required: true } as const

const examination = defineShape('Examination', {
  findings: list(
    object({
      check: text(must),
      level: choice(['ok', 'warning', 'error'], must),
      explanation: text(must),
      remedy: text({ about: 'What to do; null when nothing is wrong.' }),
    }),
    must,
  ),
})

export const doctorEndpoint = (service: Service) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/management/doctor',
    id: 'examineInstallation',
    summary: 'Check the installation',
    description: 'As `plinth doctor`, without the check of every page and reference of the database.',
    access: administrator,
    answers: { 200: examination },
    problems: [401, 403, 406, 503],
    run: async () => {
      const findings: NamedFinding[] = []
      for await (const finding of examineMachine(service.config)) findings.push(finding)
      for await (const finding of examineDatabase(service, true)) findings.push(finding)
      return { findings: findings.map(({ remedy = null, ...finding }) => ({ ...finding, remedy })) }
    },
  })
