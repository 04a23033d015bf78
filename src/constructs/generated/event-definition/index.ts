// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface EventDefinitionConfig extends cdktf.TerraformMetaArguments {
  /**
  * The name under which events are recorded.
  */
  readonly name: string;
  /**
  * What `destroy` does. "forget" (default): keeps the object unchanged. "restore": puts the earlier values back. "delete": deletes the definition until the service sees such an event again.
  */
  readonly onDestroy?: 'forget' | 'restore' | 'delete' | cdktf.IResolvable;
  /**
  * Whether such events are posted to a chat tool.
  */
  readonly postToChat?: boolean | cdktf.IResolvable;
  /**
  * The project of the object. Default: the provider's project.
  */
  readonly projectId?: string;
  /**
  * Tags. The service trims them and stores them in lower case.
  */
  readonly tags?: string[];
}

/**
* `vexil_event_definition`, described in examples/terraform/docs/resources/event_definition.md
*/
export class EventDefinition extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_event_definition";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a EventDefinition resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the EventDefinition to import
  * @param importFromId The id of the existing EventDefinition that should be imported. See examples/terraform/docs/resources/event_definition.md for the id to use
  * @param provider? Optional instance of the provider where the EventDefinition to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_event_definition", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_event_definition`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options EventDefinitionConfig
  */
  public constructor(scope: Construct, id: string, config: EventDefinitionConfig) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_event_definition',
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
    this._name = config.name;
    this._onDestroy = config.onDestroy;
    this._postToChat = config.postToChat;
    this._projectId = config.projectId;
    this._tags = config.tags;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // name - computed: false, optional: false, required: true
  private _name?: string;
  public get name() {
    return this.getStringAttribute('name');
  }
  public set name(value: string) {
    this._name = value;
  }
  // Temporarily expose input value. Use with caution.
  public get nameInput() {
    return this._name;
  }

  // on_destroy - computed: false, optional: true, required: false
  private _onDestroy?: string | cdktf.IResolvable;
  public get onDestroy(): 'forget' | 'restore' | 'delete' {
    return this.getStringAttribute('on_destroy') as 'forget' | 'restore' | 'delete';
  }
  public set onDestroy(value: string | cdktf.IResolvable) {
    this._onDestroy = value;
  }
  public resetOnDestroy() {
    this._onDestroy = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get onDestroyInput() {
    return this._onDestroy;
  }

  // post_to_chat - computed: true, optional: true, required: false
  private _postToChat?: boolean | cdktf.IResolvable;
  public get postToChat() {
    return this.getBooleanAttribute('post_to_chat');
  }
  public set postToChat(value: boolean | cdktf.IResolvable) {
    this._postToChat = value;
  }
  public resetPostToChat() {
    this._postToChat = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get postToChatInput() {
    return this._postToChat;
  }

  // project_id - computed: true, optional: true, required: false
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

  // tags - computed: true, optional: true, required: false
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

  // tags_all - computed: true, optional: false, required: false
  public get tagsAll() {
    return cdktf.Fn.tolist(this.getListAttribute('tags_all'));
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      name: cdktf.stringToTerraform(this._name),
      on_destroy: cdktf.stringToTerraform(this._onDestroy),
      post_to_chat: cdktf.booleanToTerraform(this._postToChat),
      project_id: cdktf.stringToTerraform(this._projectId),
      tags: cdktf.listMapper(cdktf.stringToTerraform, false)(this._tags),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      name: {
        value: cdktf.stringToHclTerraform(this._name),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      on_destroy: {
        value: cdktf.stringToHclTerraform(this._onDestroy),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      post_to_chat: {
        value: cdktf.booleanToHclTerraform(this._postToChat),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
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
