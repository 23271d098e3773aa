import kafkajs, { type AclEntry } from 'kafkajs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

// Node does not find these names in the CommonJS module.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

const FILE = join(import.meta.dirname, '../../../k8s/components/kafka-acls/kafka-users.yaml');

interface KafkaUser {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly authorization: {
      readonly acls: readonly {
        readonly resource: {
          readonly type: 'topic' | 'group';
          readonly name: string;
          readonly patternType: 'literal' | 'prefix';
        };
        readonly operations: readonly ('Read' | 'Write' | 'Create' | 'Delete' | 'Describe')[];
      }[];
    };
  };
}

const OPERATIONS = {
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
  Create: AclOperationTypes.CREATE,
  Delete: AclOperationTypes.DELETE,
  Describe: AclOperationTypes.DESCRIBE,
};

/** The ACLs that a deployment has, from the file that it is deployed with. */
export async function deployedAcls(): Promise<AclEntry[]> {
  const documents = parseAllDocuments(await readFile(FILE, 'utf8'));
  return documents.flatMap((document) => {
    const { metadata, spec } = document.toJS() as KafkaUser;
    return spec.authorization.acls.flatMap(({ resource, operations }) =>
      operations.map((operation) => ({
        principal: `User:${metadata.name}`,
        host: '*',
        resourceType: resource.type === 'topic' ? AclResourceTypes.TOPIC : AclResourceTypes.GROUP,
        resourceName: resource.name,
        resourcePatternType:
          resource.patternType === 'prefix' ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
        operation: OPERATIONS[operation],
        permissionType: AclPermissionTypes.ALLOW,
      })),
    );
  });
}
