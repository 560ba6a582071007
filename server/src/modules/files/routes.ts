// The addresses of a resource's files.

import { appSettings } from '../../core/config/service-settings.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import type { Operation } from '../../core/model/define.ts'
import { allowed } from '../../core/rest/permit.ts'
import type { Context } from '../../core/rest/platform.ts'
import { respond, type Task } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { describeFiles } from './describe.ts'
import { mustBeAllowed, type Owner } from './owner.ts'
import { removeFile } from './remove.ts'
import { listFiles, serveFile } from './serve.ts'
import { fileSettings } from './settings.ts'
import { type Storage, storageFor } from './storage.ts'
import { receiveUpload } from './upload.ts'

export interface FileRules {
  /** Whoever may do this with a record may add files to it. Whoever may read it may read them. */
  readonly uploadAs: Operation
  /** Members that are set to the address of the file of their name; it must be a picture. */
  readonly pictures: readonly string[]
}

/** `POST` and `GET …/{pk}/files`, `GET` and `DELETE …/{pk}/files/{name}` for the records of one resource. */
export const fileRoutes = (service: Service, name: string, { uploadAs, pictures }: FileRules): readonly Route[] => {
  const resource = service.platform.registry.resource(name)
  const { config } = service
  const limits = {
    dataDir: config.get(appSettings).dataDir,
    maxBytes: config.get(fileSettings).maxBytes,
    maxBytesPerUser: config.get(fileSettings).maxBytesPerUser,
  }
  const base = `/api/rest/${name}/{pk}/files`
  const storageOf = storageFor(config)
  const describe = describeFiles(name)
  const owned =
    <T>(operation: Operation, run: (context: Context, task: OwnedTask) => Promise<T>) =>
    async (context: Context, task: Task): Promise<T> => {
      const owner: Owner = { resource, pk: task.request.params.pk ?? '' }
      await mustBeAllowed(context, owner, operation)
      return run(context, { task, owner, storage: await storageOf() })
    }
  const place = { permit: allowed(resource, 'read'), resource, format: formatsByName.json, takesBody: false } as const
  return [
    {
      method: 'POST',
      path: base,
      streams: true,
      handler: respond(service, {
        ...place,
        permit: allowed(resource, uploadAs),
        receive: owned(uploadAs, (context, { task, ...one }) =>
          receiveUpload(context, task, { ...one, ...limits, pictures }),
        ),
      }),
      describe: describe.upload,
    },
    {
      method: 'GET',
      path: base,
      handler: respond(service, { ...place, run: owned('read', (context, { owner }) => listFiles(context, owner)) }),
      describe: describe.list,
    },
    {
      method: 'GET',
      path: `${base}/{name}`,
      handler: respond(service, {
        ...place,
        run: owned('read', (context, { task, ...one }) => serveFile(context, task, one)),
        produces: '*/*',
      }),
      describe: describe.read,
    },
    {
      method: 'DELETE',
      path: `${base}/{name}`,
      handler: respond(service, {
        ...place,
        permit: allowed(resource, uploadAs),
        run: owned(uploadAs, (context, { task, ...one }) => removeFile(context, task, { ...one, pictures })),
      }),
      describe: describe.remove,
    },
  ]
}

interface OwnedTask {
  readonly task: Task
  readonly owner: Owner
  readonly storage: Storage
}
