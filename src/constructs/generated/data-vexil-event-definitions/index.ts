// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface DataVexilEventDefinitionsConfig extends cdktf.TerraformMetaArguments {
  /**
  * The project to search. Default: the provider's project.
  */
  readonly projectId?: string;
  /**
  * Only objects whose name contains this text.
  */
  readonly search?: string;
  /**
  * Only objects with all of these tags.
  */
  readonly tags?: string[];
}
export interface DataVexilEventDefinitionsEventDefinitions {
}

export function dataVexilEventDefinitionsEventDefinitionsToTerraform(struct?: DataVexilEventDefinitionsEventDefinitions): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataVexilEventDefinitionsEventDefinitionsToHclTerraform(struct?: DataVexilEventDefinitionsEventDefinitions): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataVexilEventDefinitionsEventDefinitionsOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): DataVexilEventDefinitionsEventDefinitions | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataVexilEventDefinitionsEventDefinitions | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // action_id - computed: true, optional: false, required: false
  public get actionId() {
    return this.getNumberAttribute('action_id');
  }

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // created_by - computed: true, optional: false, required: false
  public get createdBy() {
    return this.getStringAttribute('created_by');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // is_action - computed: true, optional: false, required: false
  public get isAction() {
    return this.getStringAttribute('is_action');
  }

  // is_calculating - computed: true, optional: false, required: false
  public get isCalculating() {
    return this.getBooleanAttribute('is_calculating');
  }

  // last_calculated_at - computed: true, optional: false, required: false
  public get lastCalculatedAt() {
    return this.getStringAttribute('last_calculated_at');
  }

  // last_seen_at - computed: true, optional: false, required: false
  public get lastSeenAt() {
    return this.getStringAttribute('last_seen_at');
  }

  // last_updated_at - computed: true, optional: false, required: false
  public get lastUpdatedAt() {
    return this.getStringAttribute('last_updated_at');
  }

  // name - computed: true, optional: false, required: false
  public get name() {
    return this.getStringAttribute('name');
  }

  // post_to_chat - computed: true, optional: false, required: false
  public get postToChat() {
    return this.getBooleanAttribute('post_to_chat');
  }

  // tags - computed: true, optional: false, required: false
  public get tags() {
    return cdktf.Fn.tolist(this.getListAttribute('tags'));
  }
}

export class DataVexilEventDefinitionsEventDefinitionsList extends cdktf.ComplexList {

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): DataVexilEventDefinitionsEventDefinitionsOutputReference {
    return new DataVexilEventDefinitionsEventDefinitionsOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* `vexil_event_definitions`, described in examples/terraform/docs/data-sources/event_definitions.md
*/
export class DataVexilEventDefinitions extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_event_definitions";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataVexilEventDefinitions resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataVexilEventDefinitions to import
  * @param importFromId The id of the existing DataVexilEventDefinitions that should be imported. See examples/terraform/docs/data-sources/event_definitions.md for the id to use
  * @param provider? Optional instance of the provider where the DataVexilEventDefinitions to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_event_definitions", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_event_definitions`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataVexilEventDefinitionsConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataVexilEventDefinitionsConfig = {}) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_event_definitions',
      terraformGeneratorMetadata: {
        providerName: 'vexil',
        providerVersionConstraint: '~> 0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    registerConstruct(this);
    this._projectId = config.projectId;
    this._search = config.search;
    this._tags = config.tags;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // event_definitions - computed: true, optional: false, required: false
  private _eventDefinitions = new DataVexilEventDefinitionsEventDefinitionsList(this, "event_definitions", false);
  public get eventDefinitions() {
    return this._eventDefinitions;
  }

  // project_id - computed: false, optional: true, required: false
  private _projectId?: string;
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  public resetProjectId() {
    this._projectId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // search - computed: false, optional: true, required: false
  private _search?: string;
  public get search() {
    return this.getStringAttribute('search');
  }
  public set search(value: string) {
    this._search = value;
  }
  public resetSearch() {
    this._search = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get searchInput() {
    return this._search;
  }

  // tags - computed: false, optional: true, required: false
  private _tags?: string[];
  public get tags() {
    return cdktf.Fn.tolist(this.getListAttribute('tags'));
  }
  public set tags(value: string[]) {
    this._tags = value;
  }
  public resetTags() {
    this._tags = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get tagsInput() {
    return this._tags;
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      project_id: cdktf.stringToTerraform(this._projectId),
      search: cdktf.stringToTerraform(this._search),
      tags: cdktf.listMapper(cdktf.stringToTerraform, false)(this._tags),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      search: {
        value: cdktf.stringToHclTerraform(this._search),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      tags: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._tags),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
